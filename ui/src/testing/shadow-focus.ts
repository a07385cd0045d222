// Which element of a shadow root has the focus. The DOM of these tests throws where one of another shadow root
// has it: a code editor asks some milliseconds after it lost the focus, when another one may have it.
if ('ShadowRoot' in globalThis) {
  const { get } = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'activeElement') ?? {};
  Object.defineProperty(ShadowRoot.prototype, 'activeElement', {
    configurable: true,
    get(this: ShadowRoot): unknown {
      const holder = document.activeElement;
      const isOther = holder?.shadowRoot && !holder.contains(this.host);
      return isOther && holder !== this.host ? null : get?.call(this);
    },
  });
}

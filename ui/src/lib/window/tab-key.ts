/** Whether a key is Tab. Its code says so too: with Shift held, WebKitGTK has no name for the key. */
export const isTab = ({ key, code }: KeyboardEvent): boolean => key === 'Tab' || code === 'Tab';

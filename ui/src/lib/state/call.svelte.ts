// An open call document as the page holds it.
import type { Backend, CallChange, CallStatus, OpenCall, Violation } from '../ipc';
import { messagesOf } from '../document/messages';
import { Replica } from './replica.svelte';

export class CallState extends Replica<CallStatus, CallChange, OpenCall> {
  #backend: Backend;
  readonly messages = $derived(messagesOf(this.tree, this.status.violations));

  constructor(opened: OpenCall, backend: Backend, onError: (error: unknown) => void) {
    super(opened, {
      apply: (group) => backend.applyCall(opened.document, group),
      open: () => backend.openCall(opened.document),
      onError,
    });
    this.#backend = backend;
  }

  protected override applyAnswer(): boolean {
    return true;
  }

  // Everything a call document says is in its tree and status.
  protected override applyDocument(): void {}

  undo(): Promise<CallChange | undefined> {
    return this.takeBack(() => this.#backend.undoCall(this.document));
  }

  redo(): Promise<CallChange | undefined> {
    return this.takeBack(() => this.#backend.redoCall(this.document));
  }

  /** The rules that the new message breaks, which comes after the history. */
  get messageViolations(): Violation[] {
    return this.status.violations.filter(({ index }) => index >= this.messages.length);
  }
}

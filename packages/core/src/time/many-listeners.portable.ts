/** Does nothing: only Node reports many listeners to a signal as a leak. */
export function allowManyListeners(..._signals: readonly AbortSignal[]): void {}

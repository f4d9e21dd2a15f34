/** For `OnEnter`: answers of several events are being read, so the code that runs may belong to any of them. */
export const answersOfGroup = -3
/** For `OnEnter`: the modules are being loaded. */
export const loading = -2
/** For `OnEnter`: no code of the batch runs; it waits for the host. */
export const waitingForHost = -4

/**
 * Called right before code of the batch may run, with the index of the event, -1 for a call for the whole batch, or one
 * of the values above. Must be cheap. Nothing is awaited between this call and the code, so it is always known which
 * event blocks the thread.
 */
export type OnEnter = (whose: number) => void

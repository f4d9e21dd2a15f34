/** The store has used up its budget, or its file cannot be written. Nothing was stored; the same call may succeed later. */
export class StoreFullError extends Error {
  override readonly name = 'StoreFullError'
}

/** The store has used up its budget: what was asked was not stored and may be asked again later. */
export class StoreFullError extends Error {
  override readonly name = 'StoreFullError'
}

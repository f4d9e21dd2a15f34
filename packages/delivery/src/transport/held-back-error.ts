/** Code of a request that was held back at the last moment. */
export const heldBack = 'EHELDBACK'

/** The request was ready to be written, and may not leave any more. Nothing of it was sent. */
export class HeldBackError extends Error {
  override readonly name = 'HeldBackError'
  readonly code = heldBack

  constructor() {
    super('the request was held back')
  }
}

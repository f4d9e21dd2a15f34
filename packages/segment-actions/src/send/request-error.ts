/** A request of an action without a complete reply. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: string
  /** Whether a later attempt may succeed. */
  readonly isTemporary: boolean

  constructor(message: string, code: string, isTemporary: boolean) {
    super(message)
    this.code = code
    this.isTemporary = isTemporary
  }
}

/** A warehouse did not do what it should. The message is for the operator, and contains no credentials. */
export class WarehouseError extends Error {
  override readonly name: string = 'WarehouseError'
  /** A name for the kind of failure, such as the SQLSTATE or the code of the operating system. */
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** A load with this id has happened, or was settled as one that never will. */
export class AlreadySettledError extends WarehouseError {
  constructor(loadId: string) {
    super(`The load ${loadId} was settled before.`, 'SETTLED')
  }
}

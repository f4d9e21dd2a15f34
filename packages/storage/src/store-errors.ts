/** The store was closed; what was asked was not done. */
export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError'

  constructor() {
    super('the store is closed')
  }
}

/** Another process, or another handle of this one, has the store open. */
export class StoreInUseError extends Error {
  override readonly name = 'StoreInUseError'
}

/** The folder or the file of the store cannot be used; the message names it and says why. */
export class StoreUnusableError extends Error {
  override readonly name = 'StoreUnusableError'
}

/** What the file of the store holds cannot be trusted any more; the message names it and how to save what can be read. */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError'
}

/** The store was written by a newer release, whose data this one cannot read. */
export class StoreVersionError extends Error {
  override readonly name = 'StoreVersionError'
}

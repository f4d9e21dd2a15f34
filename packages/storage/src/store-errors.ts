/** The store was closed before the call, which did nothing. */
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

/** The folder or file of the store cannot be used; the message names it and gives the reason. */
export class StoreUnusableError extends Error {
  override readonly name = 'StoreUnusableError'
}

/** The store file is damaged; the message names it and says how to save what can be read. */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError'
}

/** The store was written by a newer release, and this one cannot read it. */
export class StoreVersionError extends Error {
  override readonly name = 'StoreVersionError'
}

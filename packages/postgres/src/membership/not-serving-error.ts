/** The other processes of the cluster do not count on this one any more: it may write nothing until it has joined again. */
export class NotServingError extends Error {
  override readonly name = 'NotServingError'

  constructor() {
    super(
      'this process was silent for too long, so that others have taken over its lanes; it joins again by itself, in a second',
    )
  }
}

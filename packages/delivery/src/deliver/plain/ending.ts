/** Something that ends later. */
export interface Ending {
  readonly promise: Promise<void>
  resolve(): void
}

export function createEnding(): Ending {
  let resolve = (): void => {}
  const promise = new Promise<void>((end) => {
    resolve = end
  })
  return { promise, resolve: () => resolve() }
}

/**
 * Waits for the first statements of a connection, and for its end, no longer than for the connection itself: a server may
 * fall silent after it accepted one.
 *
 * @param cut called when it takes too long. @throws an error with the code `ETIMEDOUT`.
 */
export async function withinConnect<Result>(
  work: Promise<Result>,
  { connectMs, cut }: { readonly connectMs: number; cut(): void },
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `the server did not answer in ${connectMs} ms`
      reject(Object.assign(new Error(message), { code: 'ETIMEDOUT' }))
      cut()
    }, connectMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

import { WarehouseError } from '../../load/warehouse-error.ts'

/**
 * Waits for the first statements of a connection no longer than for the connection itself: a server may fall silent after
 * it accepted one. @param cut called when it takes too long.
 */
export async function withinConnect<Result>(
  work: Promise<Result>,
  { connectMs, place, cut }: { readonly connectMs: number; readonly place: string; cut(): void },
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new WarehouseError(
          `${place}: the server accepted the connection, and did not answer in ${connectMs} ms.`,
          'ETIMEDOUT',
        ),
      )
      cut()
    }, connectMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

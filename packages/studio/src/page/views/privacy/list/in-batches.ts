/** People of one request: the server accepts all of them or none. */
export const batchMax = 5_000

/**
 * Sends people in batches, in order, until all are sent or one batch fails.
 *
 * @param from how many were sent before.
 * @param onSent called after each batch with how many were sent so far.
 * @throws what `send` throws: the batches before it were sent.
 */
export async function sendInBatches<Person>(
  people: readonly Person[],
  from: number,
  send: (batch: readonly Person[]) => Promise<void>,
  onSent: (count: number) => void,
): Promise<void> {
  for (let at = from; at < people.length; at += batchMax) {
    const batch = people.slice(at, at + batchMax)
    await send(batch)
    onSent(at + batch.length)
  }
}

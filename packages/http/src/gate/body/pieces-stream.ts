/** Sends bytes piece by piece, so that they are never put together here. */
export function piecesStream(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const left = pieces[Symbol.iterator]()
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value, done } = left.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

import { nextTurn } from '@sluice/core/next-turn'

/** Elements, and characters, that are made and written in one turn of the event loop: a few milliseconds. */
const elementsPerTurn = 500
const charactersPerTurn = 256 * 1_024

/**
 * Writes an object with one list as JSON text, some elements in each turn of the event loop, so that a long list holds up
 * no other call.
 */
export function listStream({
  member,
  elements,
}: {
  readonly member: string
  readonly elements: Iterable<object>
}): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const left = elements[Symbol.iterator]()
  let separator = `{${JSON.stringify(member)}:[`
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await new Promise<void>((resolve) => nextTurn(resolve))
        let text = ''
        for (let count = 0; count < elementsPerTurn && text.length < charactersPerTurn; count += 1) {
          const { value, done } = left.next()
          if (done) {
            const start = separator === ',' ? '' : separator
            controller.enqueue(encoder.encode(`${text}${start}]}`))
            controller.close()
            return
          }
          text += separator + JSON.stringify(value)
          separator = ','
        }
        controller.enqueue(encoder.encode(text))
      },
    },
    { highWaterMark: 1 },
  )
}

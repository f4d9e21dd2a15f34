import { connect } from 'node:net'
import { hangMs } from '../support/hang-ms.ts'

/** What a client sends: texts and bytes one after the other, each in a packet of its own. */
export type Sent = readonly (string | Buffer)[]

/** An answer that is whole: its length is in its headers, or it has no body. */
const answer = /^HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n/

/**
 * Sends bytes to a server and returns the bytes that it answers, without the time of day.
 *
 * @param last is sent once `answers` answers have arrived; its own answer is the last, after which the server disconnects.
 */
export async function exchange(port: number, sent: Sent, answers: number, last: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let received = ''
    let isLastSent = false
    socket.setEncoding('latin1').setTimeout(hangMs, () => socket.destroy(new Error(`no end after: ${received}`)))
    socket.on('data', (text: string) => {
      received += text
      if (isLastSent || answersIn(received) < answers) return
      isLastSent = true
      socket.write(last)
    })
    // A server that disconnects may do so while something is still sent.
    socket.on('error', (error: NodeJS.ErrnoException) => /EPIPE|ECONNRESET/.test(error.code ?? '') || reject(error))
    socket.on('close', () => resolve(withoutDate(received)))
    void writeEach(sent)

    async function writeEach(parts: Sent): Promise<void> {
      for (const part of parts) await new Promise<void>((written) => socket.write(part, () => written()))
    }
  })
}

export const withoutDate = (answer: string): string => answer.replaceAll(/^date: .*\r\n/gim, '')

function answersIn(text: string): number {
  const [head, status = ''] = answer.exec(text) ?? []
  if (head === undefined) return 0
  if (status === '100') return answersIn(text.slice(head.length))
  const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1] ?? 0)
  const rest = text.slice(head.length)
  return rest.length < length ? 0 : 1 + answersIn(rest.slice(length))
}

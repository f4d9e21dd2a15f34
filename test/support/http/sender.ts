import { Agent, request } from 'node:http'
import { basic } from './api-client.ts'

/** A client that sends batches over one connection, which it keeps open. */
export interface Sender {
  /** @returns the status once the whole response was read; undefined when the connection broke before. */
  post(port: number, batch: readonly object[], host?: string): Promise<number | undefined>
  close(): void
}

export function createSender(writeKey: string): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: basic(writeKey, ''), 'content-type': 'application/json' }
  return {
    post: (port, batch, host = '127.0.0.1') =>
      new Promise((resolve) => {
        const body = JSON.stringify({ batch })
        const asked = request({ agent, port, host, method: 'POST', path: '/v1/batch', headers }, (answer) => {
          answer.on('error', () => resolve(undefined)).on('end', () => resolve(answer.statusCode))
          answer.resume()
        })
        asked.on('error', () => resolve(undefined)).end(body)
      }),
    close: () => agent.destroy(),
  }
}

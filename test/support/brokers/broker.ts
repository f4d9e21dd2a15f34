import { connect } from 'node:net'

/**
 * Returns why tests that need a broker at this port of localhost cannot run; undefined when they can. Prints the reason.
 *
 * @param name name of the broker, for the reason.
 */
export async function noBroker(name: string, port: number): Promise<string | undefined> {
  const isListening = await new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.setTimeout(1_000, () => resolve(false))
    socket.once('close', () => resolve(false))
    setTimeout(() => socket.destroy(), 1_000).unref()
  })
  if (isListening) return undefined
  const reason = `no ${name} listens at port ${port} of localhost`
  process.stdout.write(`tests of ${name} skipped: ${reason}\n`)
  return reason
}

import type { Logger } from '../../../../logger.ts'
import type { Sluice } from '../../../../sluice.ts'
import { CliError } from '../../../cli-error.ts'
import { connectionRoom, openFilesMax } from '../open-files.ts'
import type { ServeFlags } from '../serve-flags.ts'
import type { Close } from '../stop/close.ts'
import { defaultListenLimits, type Listener, listen } from './listen.ts'
import type { ServePorts } from './serve-ports.ts'

/** Share of the stop time in which clients get their answers. The rest is for deliveries in progress. */
const answersShare = 0.5
/** How often it is logged that connections find no room. */
const refusedLogMs = 60_000

/**
 * Opens the ports of the API.
 * @param closing receives the function that closes them together: while one waits for answers, the other must not accept new
 * requests.
 */
export async function listenAll(
  sluice: Sluice,
  flags: Pick<ServeFlags, 'host' | 'port' | 'governancePort' | 'connections'>,
  log: Pick<Logger, 'warn'>,
  closing: Close[],
): Promise<ServePorts> {
  const { host } = flags
  const wanted = flags.connections ?? defaultListenLimits.connectionsMax
  const { connectionsMax, openFiles } = connectionRoom(wanted, openFilesMax())
  if (openFiles !== undefined)
    log.warn(
      { openFiles, connections: connectionsMax },
      'the limit of open files allows fewer connections: raise it with ulimit -n, or set --connections',
    )
  const limits = { connectionsMax }
  let refusedAt = Number.NEGATIVE_INFINITY
  const onRefused = (): void => {
    if (performance.now() - refusedAt < refusedLogMs) return
    refusedAt = performance.now()
    log.warn({ connections: connectionsMax }, 'there are as many connections as allowed: new ones are answered 503')
  }
  const listeners: Listener[] = []
  closing.push((deadline) => Promise.all(listeners.map((each) => each.close(deadline.left() * answersShare))))
  const closeLater = (listener: Listener): number => {
    listeners.push(listener)
    return listener.port
  }
  const main = closeLater(await listen(sluice, { host, port: flags.port, flag: '--port', limits, onRefused }))
  if (flags.governancePort === undefined) return { main }
  const { governance } = sluice.areas
  if (!governance) throw new CliError('--governance-port needs SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD to be set')
  return {
    main,
    governance: closeLater(
      await listen(governance, { host, port: flags.governancePort, flag: '--governance-port', limits, onRefused }),
    ),
  }
}

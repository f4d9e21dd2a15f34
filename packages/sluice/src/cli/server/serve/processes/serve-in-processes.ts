import cluster from 'node:cluster'
import { createServer } from 'node:net'
import { printLine } from '../../../terminal/print-line.ts'
import type { ServePorts } from '../listen/serve-ports.ts'
import { openLog } from '../report/open-log.ts'
import type { ServeFlags } from '../serve-flags.ts'
import { graceMs } from '../stop/grace-ms.ts'
import { lineOfProcess } from './output/line-of-process.ts'
import { defaultRestartTimes } from './restart-delays.ts'
import { Supervisor } from './supervisor.ts'

/** Time in which a process that has given up ends by itself. */
const lateMs = 2_000

/**
 * Serves with several processes that share the ports, until SIGINT or SIGTERM, which ends all at once when repeated.
 * SIGHUP applies the workspace file in all.
 * @throws CliError when the server cannot start, or cannot continue.
 */
export async function serveInProcesses(flags: ServeFlags, processes: number): Promise<void> {
  // Their outputs come through this process, as whole lines.
  cluster.setupPrimary({ silent: true, serialization: 'advanced' })
  const log = openLog(flags)
  const isTerminal = process.stdout.isTTY === true
  const format = flags.logFormat ?? (process.stderr.isTTY ? 'text' : 'json')
  const supervisor = new Supervisor({
    processes,
    ports: await portsOf(flags),
    isTerminal,
    log,
    restarts: defaultRestartTimes,
    stopMs: flags.stopSeconds * 1_000 + graceMs + lateMs,
    onLine: (number, line, output) => process[output].write(`${lineOfProcess(number, line, format)}\n`),
    onServing: (lines) => {
      log.info({ host: flags.host, processes }, 'all processes serve')
      for (const line of lines) printLine(line)
    },
  })
  let isStopping = false
  const onSignal = (): void => {
    if (isStopping) {
      supervisor.kill()
      process.exit(130)
    }
    isStopping = true
    supervisor.stop()
    printLine('stopping (repeat to stop immediately)')
  }
  const onHangup = (): void => {
    void supervisor.reload().then(printLine)
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onHangup)
  try {
    supervisor.start()
    await supervisor.ended
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('SIGHUP', onHangup)
  }
}

/** Returns the ports that all processes get: a free one is chosen here, so that one that is started again has the same. */
async function portsOf({ host, port, governancePort }: ServeFlags): Promise<ServePorts> {
  const main = port === 0 ? await freePort(host) : port
  if (governancePort === undefined) return { main }
  return { main, governance: governancePort === 0 ? await freePort(host) : governancePort }
}

/** Returns 0 when none can be found out: listening then says why. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(0))
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

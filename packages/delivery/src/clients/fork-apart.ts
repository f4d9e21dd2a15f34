import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Settings of the environment that TLS needs. Nothing else of it is for clients: it has secrets of the operator. */
const inherited = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'SystemRoot']

export interface ForkApartOptions {
  /** Memory for JavaScript values of the process, in MiB. */
  readonly heapMiB: number
  /** Variables of its environment, besides those that TLS needs. Default none. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Starts a process for code that reads bytes of strangers: without the environment of this one, and without an output,
 * because clients print what strangers send them. It does not keep this process alive.
 * @param main its compiled main file.
 */
export function forkApart(main: URL, { heapMiB, env = {} }: ForkApartOptions): ChildProcess {
  const forTls = inherited.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const child = fork(fileURLToPath(main), {
    env: { ...Object.fromEntries(forTls), ...env },
    execArgv: [`--max-old-space-size=${heapMiB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  child.unref()
  child.channel?.unref()
  return child
}

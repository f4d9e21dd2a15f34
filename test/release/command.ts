import { execFile } from 'node:child_process'

export interface Ended {
  /** -1 when the command could not be started, or was ended after its time. */
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  /** User and group to run as. */
  readonly uid?: number
  /** Default five minutes. */
  readonly timeMs?: number
}

/** Runs a command to its end. A status other than 0 is no exception. */
export function run(command: string, args: readonly string[], options: CommandOptions): Promise<Ended> {
  const { cwd, env = process.env, uid, timeMs = 300_000 } = options
  const limits = { timeout: timeMs, maxBuffer: 64 * 1024 * 1024 }
  const user = uid === undefined ? {} : { uid, gid: uid }
  return new Promise((resolve) => {
    const child = execFile(command, [...args], { cwd, env, ...limits, ...user }, (error, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, stdout, stderr: stderr || (error?.message ?? '') }),
    )
    child.stdin?.end()
  })
}

/** Returns a problem for a command that failed, with the end of what it printed; undefined for one that did not. */
export function failure(what: string, { status, stdout, stderr }: Ended): string | undefined {
  if (status === 0) return undefined
  const text = `${stdout}\n${stderr}`.trim().slice(-1_500)
  return `${what} failed with status ${status}:\n${text.replaceAll(/^/gm, '    ')}`
}

import { type ChildProcess, spawn } from 'node:child_process'
import { bundleProgram } from './bundle-program.ts'

/** A Node process that reports its progress, line by line as JSON: `[word, value]`. */
export interface Killable {
  readonly pid: number
  /** Resolves with the value reported with a word; rejects when the process ends before. */
  reported(word: string): Promise<unknown>
  /** Sends SIGKILL, which the process cannot handle. */
  kill(): void
  /** Closes its standard input, which asks it to stop. */
  stop(): void
  /** Resolves with its output on standard error. */
  readonly ended: Promise<string>
}

/**
 * Prepended to a program: `report`, and `asked`, which resolves when the program must stop, also because its parent is
 * dead.
 */
const prologue = `
const report = (word, value = null) => console.log(JSON.stringify([word, value]))
const asked = new Promise((resolve) => process.stdin.on('end', resolve).resume())
`

/** Runs the text of a module in a separate process, which uses the built packages. */
export async function startKillable(program: string, args: readonly string[]): Promise<Killable> {
  const file = await bundleProgram(prologue + program)
  const start = ['--input-type=module', '-e', `await import('${file}')`]
  const child: ChildProcess = spawn(process.execPath, [...start, '--', ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  const values = new Map<string, unknown>()
  const watchers = new Set<() => void>()
  let rest = ''
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [word, value] = JSON.parse(line) as [string, unknown]
      values.set(word, value)
    }
    for (const watch of watchers) watch()
  })
  child.stdin?.on('error', () => {})
  const ended = new Promise<string>((done) => child.on('close', () => done(errors)))
  return {
    pid: child.pid ?? 0,
    ended,
    reported: (word) =>
      new Promise((found, missed) => {
        const watch = (): void => {
          if (!values.has(word)) return
          watchers.delete(watch)
          found(values.get(word))
        }
        watchers.add(watch)
        watch()
        void ended.then(() => missed(new Error(`it ended before it reported '${word}': ${errors}`)))
      }),
    kill: () => child.kill('SIGKILL'),
    stop: () => child.stdin?.end(),
  }
}

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type RunningCommand, startCommand } from './command.ts'

const folderOfBuild = resolve(import.meta.dirname, '../../../packages/sluice/dist/cli/server/serve/processes')
const built = (name: string): string => pathToFileURL(join(folderOfBuild, name)).href

/** Two processes with the real supervisor, which do nothing but answer it. Waits are short. */
const program = `
import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { Supervisor } from '${built('supervisor.js')}'
import { OwnSupervisor } from '${built('own-supervisor.js')}'
const [, , broken, execPath] = process.argv
if (cluster.isPrimary) {
  // What processes are started with.
  process.execPath = execPath
  cluster.setupPrimary({ silent: true, serialization: 'advanced' })
  const line = (fields, msg) => console.log(JSON.stringify({ ...fields, msg }))
  const supervisor = new Supervisor({
    processes: 2, ports: { main: 0 }, isTerminal: false, stopMs: 20_000, log: { info: line, error: line },
    restarts: { baseMs: 20, capMs: 100, steadyMs: 600_000, failedMax: 4 },
    onLine: (number, text) => console.log(number + ' wrote ' + text),
    onServing: () => console.log('all serve'),
  })
  process.on('SIGTERM', () => supervisor.stop())
  supervisor.start()
  await supervisor.ended.then(() => console.log('ended'), (error) => console.log('failed: ' + error.message))
} else {
  const supervisor = new OwnSupervisor(JSON.parse(process.env.SLUICE_PROCESS))
  supervisor.on({ stop: () => process.exit(0) })
  if (existsSync(broken)) {
    await supervisor.refused('the file is broken', 1)
    process.exit(1)
  }
  process.stdout.write('pid ' + process.pid)
  supervisor.serving([])
}
`

/** A supervisor with two processes. */
export interface SupervisedProgram {
  readonly command: RunningCommand
  /** Lets no process start from now on, for a reason of its own. */
  breakFile(): void
  /** Removes the program of Node that the processes run with. */
  removeNode(): void
  /** Removes its files. */
  remove(): void
}

/** Resolves when both processes serve. */
export async function startSupervised(isBroken = false): Promise<SupervisedProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-supervised-'))
  const [main, broken, node] = ['main.mjs', 'broken', 'node'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(main, program)
  copyFileSync(process.execPath, node)
  const breakFile = (): void => writeFileSync(broken, '')
  if (isBroken) breakFile()
  const command = startCommand([broken, node], { cwd: folder, bin: main })
  if (!isBroken) await command.printed(/^all serve$/m)
  return {
    command,
    breakFile,
    removeNode: () => rmSync(node),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failure, run } from '../command.ts'
import { importing, program, requiring } from '../program.ts'
import type { Step } from '../step.ts'

/** Most bytes and packages of an installation with SQLite, whose driver an older Node has not built; most bytes without SQLite. */
const bytesMax = 60_000_000
const packagesMax = 70
const bytesMaxWithoutSqlite = 25_000_000

/** Installs the tarballs with each package manager, and runs an ES module, a CommonJS module and the command. */
export const installs: Step = {
  name: 'installs',
  summary: 'npm, pnpm and yarn; import, require and the command',
  async run(bench) {
    const problems: string[] = []
    const notes: string[] = []
    for (const manager of ['npm', 'pnpm', 'yarn'] as const) {
      const cwd = await bench.project(manager)
      writeFileSync(join(cwd, 'esm.mjs'), program(importing))
      writeFileSync(join(cwd, 'common.cjs'), program(requiring))
      for (const file of ['esm.mjs', 'common.cjs']) {
        const ended = await run(process.execPath, [file], { cwd, timeMs: 60_000 })
        const failed = failure(`${manager}: node ${file}`, ended)
        if (failed !== undefined) problems.push(failed)
        if (ended.status === 0 && !ended.stdout.includes('delivered'))
          problems.push(`${manager}: ${file} delivered nothing: ${ended.stdout}`)
      }
      const version = failure(
        `${manager}: sluice --version`,
        await run('node_modules/.bin/sluice', ['--version'], { cwd }),
      )
      if (version !== undefined) problems.push(version)
    }
    const { bytes, packages } = sizeOf(join(await bench.project('npm'), 'node_modules'))
    notes.push(
      `npm: ${packages} packages, ${(bytes / 1e6).toFixed(1)} MB, with the driver of SQLite, which an older Node has still to build`,
    )
    if (bytes > bytesMax) problems.push(`${bytes} bytes are installed, allowed are ${bytesMax}`)
    if (packages > packagesMax) problems.push(`${packages} packages are installed, allowed are ${packagesMax}`)
    const without = await bench.copyOfProject('without-sqlite')
    const args = ['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--prefer-offline']
    const omitted = failure('npm install --omit=optional', await run('npm', args, { cwd: without }))
    if (omitted !== undefined) return { problems: [...problems, omitted], notes }
    const smaller = sizeOf(join(without, 'node_modules'))
    notes.push(`npm --omit=optional: ${smaller.packages} packages, ${(smaller.bytes / 1e6).toFixed(1)} MB`)
    if (smaller.bytes > bytesMaxWithoutSqlite)
      problems.push(`${smaller.bytes} bytes are installed without SQLite, allowed are ${bytesMaxWithoutSqlite}`)
    return { problems, notes }
  },
}

/** Returns the bytes and the packages below a folder `node_modules`. */
function sizeOf(folder: string): { bytes: number; packages: number } {
  let bytes = 0
  let packages = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    bytes += statSync(join(entry.parentPath, entry.name)).size
    if (entry.name === 'package.json' && /\/node_modules\/(?:@[^/]+\/)?[^/@.][^/]*$/.test(entry.parentPath))
      packages += 1
  }
  return { bytes, packages }
}

import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { failure, run } from '../command.ts'
import type { Step } from '../step.ts'

const source = `import { createSluice, type Sluice } from 'sluice'
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
export const start = async (): Promise<Sluice> =>
  createSluice({ store: await openSqliteStore({ path: 'x.db', clock: systemClock, random: systemRandom }) })
// @ts-expect-error: types are known, so a wrong one is an error.
export const wrong: number = createSluice
`

/** The same as a CommonJS module, with a class that is a value and a type. */
const required = `import { createSluice, type Sluice, WorkspaceFileError } from 'sluice'
import { FairQueue, systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore, StoreInUseError } from '@sluice/storage'
export const start = async (): Promise<Sluice> =>
  createSluice({ store: await openSqliteStore({ path: 'x.db', clock: systemClock, random: systemRandom }) })
export const isMine = (error: unknown): error is StoreInUseError | WorkspaceFileError =>
  error instanceof StoreInUseError || error instanceof WorkspaceFileError
export const queue: FairQueue<string> = new FairQueue<string>()
// @ts-expect-error: types are known, so a wrong one is an error.
export const wrong: number = createSluice
`

/** Compiles a program against the installed types, without skipping the checks of declaration files of ours. */
export const typescript: Step = {
  name: 'typescript',
  summary: 'ES and CommonJS modules with module resolution bundler, node16, node20 and nodenext',
  async run(bench) {
    const cwd = await bench.copyOfProject('typescript')
    const compiler = createRequire(import.meta.url).resolve('typescript/lib/tsc.js')
    const types = dirname(dirname(dirname(createRequire(import.meta.url).resolve('@types/node/package.json'))))
    writeFileSync(join(cwd, 'program.ts'), source)
    writeFileSync(join(cwd, 'required.cts'), required)
    const problems: string[] = []
    for (const { module, moduleResolution, files } of [
      { module: 'esnext', moduleResolution: 'bundler', files: ['program.ts'] },
      { module: 'node16', moduleResolution: 'node16', files: ['program.ts', 'required.cts'] },
      { module: 'node20', moduleResolution: 'node16', files: ['program.ts', 'required.cts'] },
      { module: 'nodenext', moduleResolution: 'nodenext', files: ['program.ts', 'required.cts'] },
    ]) {
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2023',
        // The types of quickjs-emscripten name WebAssembly, which is in `dom`.
        lib: ['es2023', 'dom'],
        types: ['node'],
        typeRoots: [join(types, '@types')],
        strict: true,
        noEmit: true,
        skipLibCheck: false,
      }
      const config = `tsconfig.${module}.json`
      writeFileSync(join(cwd, config), JSON.stringify({ compilerOptions, files }))
      const problem = failure(
        `tsc with module ${module}`,
        await run(process.execPath, [compiler, '-p', config], { cwd }),
      )
      if (problem !== undefined) problems.push(problem)
    }
    return { problems, notes: ['programs that do not skip checks of libraries need lib dom, for quickjs-emscripten'] }
  },
}

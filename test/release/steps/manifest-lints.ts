import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { Step } from '../step.ts'

/** Publint: what bundlers and runtimes make of each tarball. */
export const publintStep: Step = {
  name: 'publint',
  summary: 'publint of every tarball',
  async run(bench) {
    const problems: string[] = []
    let suggestions = 0
    for (const [name, file] of await bench.tarballs()) {
      const bytes = readFileSync(file)
      const tarball = new Uint8Array(bytes).buffer
      const { messages, pkg } = await publint({ pack: { tarball } })
      for (const message of messages) {
        if (message.type === 'suggestion') suggestions += 1
        else problems.push(`${name}: ${formatMessage(message, pkg) ?? message.code}`)
      }
    }
    return { problems, notes: [`${suggestions} suggestions`] }
  },
}

/** Are the types wrong: whether each entry has the types of what runs, in each way to resolve it. */
export const typesStep: Step = {
  name: 'types',
  summary: 'are-the-types-wrong of every tarball',
  async run(bench) {
    const problems: string[] = []
    for (const [name, file] of await bench.tarballs()) {
      const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(file))), {
        // The page of the studio is no module.
        excludeEntrypoints: [/\.html$/],
      })
      if (!result.types) problems.push(`${name} has no types`)
      else
        for (const problem of result.problems) {
          const { kind } = problem
          const where = 'resolutionKind' in problem ? problem.resolutionKind : ''
          const entry = 'entrypoint' in problem ? problem.entrypoint : ''
          // Packages are ES modules with `exports` only: TypeScript's old `node10` resolution does not read them, and
          // CommonJS gets them by require(esm) of Node 20.19.
          if (where === 'node10' || kind === 'CJSResolvesToESM') continue
          problems.push(`${name} ${entry} ${where}: ${kind}`)
        }
    }
    return { problems, notes: ["not required: TypeScript's resolution node10, which reads no exports"] }
  },
}

import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Files that may have another name than their exports, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'destinations/src/kit/message/inlined-handlebars.d.ts': 'declares a module of another package',
  'core/src/text/inlined-lodash.d.ts': 'declares a module of another package',
  'sandbox/src/patterns/inlined-regexpp.d.ts': 'declares a module of another package',
  'destinations/src/kit/ad-platforms/normalise.ts': 'names a family: one function for each kind of value',
  'destinations/src/kit/convert/hash.ts': 'names a family: sha256 and md5',
  'destinations/src/kit/convert/time.ts': 'names a family: milliseconds, seconds and isoDate',
  'destinations/src/kit/rules/generic-fields.ts': 'the export is short because rules read `from(generic.userId)`',
  'configuration/src/exports-for-files.ts': 'only exports again: @sluice/configuration/file',
  'http/src/areas/configuration/configuration-schemas.ts': 'each schema has the name of the data it describes',
  'http/src/areas/plans/plan-schemas.ts': 'each schema has the name of the data it describes',
  'http/src/areas/transformations/transformations-schemas.ts': 'each schema has the name of the data it describes',
  'delivery/src/clients/client-main.ts': 'is run, as the main file of a process',
  'warehouse/src/engines/duckdb/query/query-main.ts': 'is run, as the main file of a process',
  'warehouse/src/destinations/work-main.ts': 'is run, as the main file of a process',
  'delivery/src/exports-for-flow.ts': 'only exports again: @sluice/delivery/flow',
  'destinations/src/exports-of-gates.ts': 'only exports again: @sluice/destinations/gates',
  'destinations/src/generated/products.ts': 'only exports again: the definition of every product',
  'destinations/src/exports-without-definitions.ts': 'only exports again: @sluice/destinations/kit',
  'pipeline/src/exports-for-flow.ts': 'only exports again: @sluice/pipeline/flow',
  'pipeline/src/ports/exports-for-stores.ts': 'only exports again: @sluice/pipeline/store',
  'studio/src/page/playground/mapping/mapping-worker.ts': 'is run, as the main file of a Worker',
  'studio/src/page/types/types-worker.ts': 'is run, as the main file of a worker',
  'sandbox/src/pool/worker-main.ts': 'is run, as the main file of a worker',
  'sandbox/src/batch/run-failures.ts': 'names a family: one function for each failure',
  'sandbox/src/guest-programs.ts': 'names a family: one text for each program of guests',
  'sandbox/src/code/source-scan.ts': 'names a family: steps of reading source text without parsing it',
  'sluice/src/cli/server/transformations/run-transformations.ts': 'names a family: one function for each subcommand',
  'sluice/src/cli/main.ts': 'is run, as the command',
  'sluice/src/cli/terminal/terminal-colours.ts': 'is imported for its effect on libraries that print colours',
  'storage/src/sqlite/store-files.ts': 'names a family: what can be done with the file of a closed store',
  'storage/src/sqlite/thread/store-thread.ts': 'is run, as the main file of a thread',
  'segment-actions/src/family/describe-thread.ts': 'the entry of a thread: exports nothing',
  'storage/src/suites/sample-records.ts': 'names a family: one sample for each kind of record',
  'studio/src/page/sandbox/sandbox-messages.ts': 'names a family: what the page and the Worker send each other',
  'studio/src/page/sandbox/sandbox-worker.ts': 'is run, as the main file of a Worker',
  'studio/src/page/shell/router.ts': 'names a family: where the page is, and ways to go elsewhere',
  'transformations/src/exports-for-stores.ts': 'only exports again: @sluice/transformations/store',
}

/** Splits `kebab-case`, `camelCase` and `PascalCase` into words in lower case and without the ending of a plural. */
function wordsOf(name: string): readonly string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return (spaced.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(singular)
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  // Consistent rather than correct: `statuses` and `status` both become `statu`.
  return word.replace(/(?<=s|x|z|ch|sh)es$/, '').replace(/(?<=[^s])s$/, '')
}

/** Returns the names that a file exports, and those of types for them: a caller gets these without naming them. */
function exportsOf(text: string): readonly string[] {
  const declared = text.matchAll(
    /^(?:export (?:async )?(?:abstract )?(?:const|function\*?|class)|(?:export )?(?:interface|type)) (\w+)/gm,
  )
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','))
  return [...declared].map(([, name = '']) => name).concat(listed.map((each) => each.trim().split(' ').at(-1) ?? ''))
}

/** Returns whether one of the names has all words, in any order, or the same letters: `uuidV4` and `uuid-v4`. */
function isNamed(words: readonly string[], names: readonly string[]): boolean {
  return names.map(wordsOf).some((others) => {
    return words.every((word) => others.includes(word)) || others.join('').includes(words.join(''))
  })
}

/** Returns whether a file has the name of one of its exports. The name of its folder may be left out of the export. */
function isNamedAfterExport(file: string, text: string): boolean {
  const names = exportsOf(text)
  // The names of versions for a platform end with it.
  const words = wordsOf(basename(file, '.ts').replace(/\.(?:node|portable)$/, ''))
  const folder = wordsOf(basename(dirname(file)))
  const rest = words.filter((word) => !folder.includes(word))
  return isNamed(words, names) || (rest.length > 0 && isNamed(rest, names))
}

describe('names of files', () => {
  const packages = join(root, 'packages')
  const files = readdirSync(packages)
    .filter((name) => name !== 'docs')
    .flatMap((name) => {
      const inside = readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
      return inside.map((file) => join(name, 'src', file))
    })
    .filter((file) => /(?<!\.test|[\\/]index)\.ts$/.test(file))
  const others = files.filter((file) => !isNamedAfterExport(file, readFileSync(join(packages, file), 'utf8')))

  it('are the words of one of their exports, or of a type of them, so that a reader who knows one finds the other', () => {
    expect(others.filter((file) => exceptions[file] === undefined)).toEqual([])
  })

  it('have no exception without need', () => {
    expect(Object.keys(exceptions).filter((file) => !others.includes(file))).toEqual([])
  })

  const cases = [
    { name: 'accepts a function that creates it', file: 'a/user-order.ts', export: 'createUserOrder', named: true },
    { name: 'accepts a plural', file: 'a/retry-options.ts', export: 'RetryOption', named: true },
    { name: 'accepts more words', file: 'a/json-path.ts', export: 'parseJsonPath', named: true },
    { name: 'accepts a missing folder name', file: 'mixpanel/mixpanel-event.ts', export: 'eventName', named: true },
    { name: 'refuses another word', file: 'a/turns.ts', export: 'createKeyedQueue', named: false },
    { name: 'refuses part of the words', file: 'a/mapping-error.ts', export: 'mapping', named: false },
    { name: 'refuses words of several exports', file: 'a/user-order.ts', export: 'user, order', named: false },
  ]
  for (const { name, file, export: names, named } of cases) {
    it(name, () => {
      expect(isNamedAfterExport(file, `export { ${names} }`)).toBe(named)
    })
  }
})

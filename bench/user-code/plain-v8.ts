import type { Event } from '@sluice/core'
import type { OpenCase } from '../bench-case.ts'
import type { Corpus } from '../corpus.ts'
import { slice } from './sandbox-case.ts'
import type { Work } from './works.ts'

/** Returns a work and its libraries as one script, for engines that load no modules. */
export function scriptOf({ code, libraries = [] }: Work): string {
  const modules = [...libraries.map((library) => library.code), code.replace(/^import .*$/gm, '')]
  return modules.join('\n').replaceAll('export ', '')
}

/** The limit: V8 without any sandbox, structured the same. */
export function openPlain(corpus: Corpus, work: Work, batch: number): OpenCase {
  const transform = new Function(`${scriptOf(work)}\nreturn transformEvent`)() as (event: Event) => Event | null
  const texts = slice(corpus, 0, batch).map((event) => JSON.stringify(event))
  const run = (): readonly (Event | undefined)[] =>
    texts.map((text) => {
      const output = transform(JSON.parse(text))
      return output === null ? undefined : JSON.parse(JSON.stringify(output))
    })
  return {
    events: batch,
    check: () => work.right(slice(corpus, 0, batch), run()),
    run: () => void run(),
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readStudioFiles } from '@sluice/studio'
import { createSluice } from 'sluice'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Document } from '../support/http/documented.ts'
import { pagesForReaders, root } from './page-blocks.ts'
import { wordsOf } from './shell-words.ts'
import { sluiceProblems } from './usage-problems.ts'

/** Names and commands in the sentences of a page, between single backticks. */
const spans = pagesForReaders().flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```$/gms, '')
  return [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => ({ page, span: span.replaceAll(/\s+/g, ' ') }))
})

/** Routes of RudderStack that pages say are missing here. */
const ofOthers = ['POST /v1/audiencelist']

describe('what the sentences of a page name', () => {
  let document: Document
  beforeAll(async () => {
    const sluice = await createSluice({
      studio: readStudioFiles(),
      admin: { user: 'a', password: 'b' },
      sandbox: { mode: 'in-process' },
    })
    document = (await (await sluice.fetch(new Request('http://sluice.test/openapi.json'))).json()) as Document
    await sluice.stop()
  })

  it('are commands with flags that exist', () => {
    const commands = spans.filter(
      ({ span }) => /^sluice [a-z-]+( |$)/.test(span) && !/[|…{}]|--(?:help|version)/.test(span),
    )
    expect(commands.length).toBeGreaterThan(50)
    const wrong = commands.flatMap(({ page, span }) => {
      const [[, ...args] = []] = wordsOf(span)
      // A sentence may leave out what a command needs.
      const problems = sluiceProblems(args).filter(
        (problem) => !/ takes \d| has no command $|missing|not specified/.test(problem),
      )
      return problems.map((problem) => `${page}: ${span}: ${problem}`)
    })
    expect(wrong).toEqual([])
  })

  it('are routes that exist', () => {
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    )
    const named = spans.filter(({ span }) => /^(?:GET|POST|PUT|DELETE) \/[\w/{}.-]+$/.test(span))
    expect(named.length).toBeGreaterThan(100)
    const wrong = named
      .filter(({ span }) => !ofOthers.includes(span))
      .filter(({ span }) => !routes.includes(span.replaceAll(/\{\w+\}|(?<=\/)[A-Z]+\b/g, '{}')))
      .map(({ page, span }) => `${page}: ${span}`)
    expect(wrong).toEqual([])
  })
})

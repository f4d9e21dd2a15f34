import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorTraits } from '@sluice/core'
import { ingestErrors } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { apiErrors } from '../../routing/api-errors.ts'
import { ingestStatus } from '../../routing/statuses.ts'

// People write the pages in packages/docs/errors; `pnpm errors` writes what the server and the command show from them.

const root = resolve(import.meta.dirname, '../../../../..')
const folder = 'packages/docs/errors'
const labels = { whatHappened: 'What happened', why: 'Why', whatToDo: 'What to do', example: 'Example' } as const

const sections = readdirSync(resolve(root, folder))
  .filter((name) => name !== 'README.md')
  .sort()
  .flatMap((name) => {
    const [, ...parts] = readFileSync(resolve(root, folder, name), 'utf8').split(/^## /m)
    return parts.map((part) => sectionOf(`${folder}/${name}`, part))
  })

function sectionOf(source: string, text: string) {
  const [code = '', ...paragraphs] = text.trim().split(/\n\n+/)
  const texts = Object.fromEntries(
    Object.entries(labels).map(([name, label], index) => {
      const start = `**${label}:** `
      const paragraph = paragraphs[index] ?? ''
      if (!paragraph.startsWith(start))
        throw new Error(`${source}, ${code}: paragraph ${index + 1} must begin ${start}`)
      return [name, paragraph.slice(start.length).replaceAll('\n', ' ')]
    }),
  )
  if (paragraphs.length > Object.keys(labels).length) throw new Error(`${source}, ${code}: there are more paragraphs`)
  return { code, source, texts }
}

describe('the pages of error codes', () => {
  it('are one for each code of the tables, and none for a code that no longer exists', () => {
    const ofIngestion = Object.keys(ingestErrors).map((code) => `ingest.${code}`)
    const codes = [...Object.keys(errorTraits), ...Object.keys(apiErrors), ...ofIngestion]
    expect(codes.length).toBeGreaterThan(140)
    expect(sections.map(({ code }) => code).toSorted()).toEqual(codes.toSorted())
  })

  it('say the status and the meaning that the tables have', () => {
    const expected: Readonly<Record<string, string>> = Object.fromEntries([
      ...Object.entries(errorTraits).map(([code, { summary, retryable }]) => [
        code,
        `${summary} ${retryable ? 'Sent again by itself.' : 'Not tried again by itself.'}`,
      ]),
      ...Object.entries(apiErrors).map(([code, { status, summary }]) => [code, `Status ${status}. ${summary}`]),
      ...Object.entries(ingestErrors).map(([code, text]) => [
        `ingest.${code}`,
        `Status ${ingestStatus[code as keyof typeof ingestErrors]}, \`${text}\`.`,
      ]),
    ])
    const others = sections.filter(({ code, texts }) => texts['whatHappened'] !== expected[code])
    expect(others.map(({ code, texts }) => `${code}: ${texts['whatHappened']} | ${expected[code]}`)).toEqual([])
  })

  it('are what the server and the command show', async () => {
    const text = (value: string) => `'${value.replace(/[\\']/g, '\\$&')}'`
    const lines = sections.flatMap(({ code, source, texts }) => [
      `  ${text(code)}: {`,
      `    source: ${text(source)},`,
      ...Object.entries(texts).map(([name, value]) => `    ${name}: ${text(value)},`),
      '  },',
    ])
    const code = [
      '// biome-ignore-all format: generated',
      `// Written by \`pnpm errors\` from the pages in ${folder}; change these and run it.`,
      '',
      "import type { ErrorPageCode, ErrorText } from './error-page-code.ts'",
      '',
      '/** What happened, why, what to do, and an example, for every code. */',
      'export const errorTexts: Readonly<Record<ErrorPageCode, ErrorText>> = {',
      ...lines,
      '}',
      '',
    ]
    await expect(code.join('\n')).toMatchFileSnapshot('error-texts.ts')
  })
})

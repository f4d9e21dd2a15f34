import { resolve } from 'node:path'
import { errorTraits } from '@sluice/core'
import { apiErrors } from '@sluice/http'
import { ingestErrors } from '@sluice/pipeline'
import { beforeAll, describe, expect, it } from 'vitest'
import { type SitePages, sitePages } from './site-pages.ts'

const root = resolve(import.meta.dirname, '../..')
let site: SitePages
const textOf = (path: string): string => site.pages.find((page) => page.path === path)?.text ?? ''

beforeAll(async () => {
  site = await sitePages(root)
})

describe('the page of error codes', () => {
  const codes = [
    ...Object.keys(errorTraits),
    ...Object.keys(apiErrors),
    ...Object.keys(ingestErrors).map((code) => `ingest.${code}`),
  ]

  it('leads to the section of each code, which exists', () => {
    const rows = [...textOf('reference/errors').matchAll(/^\| \[`([^`]+)`\]\(\.\.\/(errors\/\w+)\.md#(\w+)\) \| \S/gm)]
    expect(codes.length).toBeGreaterThan(140)
    expect(rows.map(([, code]) => code).toSorted()).toEqual(codes.toSorted())
    const broken = rows.filter(([, code = '', page = '', anchor]) => {
      return anchor !== code.toLowerCase().replaceAll('.', '') || !textOf(page).includes(`\n## ${code}\n`)
    })
    expect(broken).toEqual([])
  })
})

describe('the pages of the documentation site', () => {
  it('have different addresses and a heading each', () => {
    const paths = site.pages.map(({ path }) => path)
    expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([])
    expect(site.pages.filter(({ text }) => !/^# \S/m.test(text))).toEqual([])
  })

  it('link only to pages that exist', () => {
    const paths = new Set(site.pages.map(({ path }) => path))
    const broken = site.pages.flatMap(({ path, text }) =>
      [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\((\.[^)\s#]+)\.md[^)\s]*\)/g)]
        .map(([, link = '']) => resolve('/', path, '..', link).slice(1))
        .filter((target) => !paths.has(target))
        .map((target) => `${path}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it.each([
    ['performance', './files/packages/docs/plots/curves.svg'],
    ['guides/studio', '../files/packages/docs/screenshots/flow-light.webp'],
  ])('%s shows its picture, which the site has a copy of', (path, picture) => {
    expect(textOf(path)).toContain(`](${picture})`)
    expect(site.files).toContain(picture.replace(/^\.+\/files\//, ''))
  })

  it.each([
    ['reference/commands/serve', '--port'],
    ['reference/http/index', '/v2/regulations'],
    ['reference/destinations/index', 'WEBHOOK'],
    ['reference/options', 'default'],
    ['guides/start', 'npm start'],
  ])('%s says what comes from the code: %s', (path, text) => {
    expect(textOf(path)).toContain(text)
  })
})

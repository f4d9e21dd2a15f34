import { resolve } from 'node:path'
import { errorTraits } from '@sluice/core'
import { apiErrors } from '@sluice/http'
import { ingestErrors } from '@sluice/pipeline'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiCures } from './cures/api-cures.ts'
import { eventCures } from './cures/event-cures.ts'
import { ingestCures } from './cures/ingest-cures.ts'
import { type SitePages, sitePages } from './site-pages.ts'

const root = resolve(import.meta.dirname, '../..')
let site: SitePages
const textOf = (path: string): string => site.pages.find((page) => page.path === path)?.text ?? ''

beforeAll(async () => {
  site = await sitePages(root)
})

describe('the page of error codes', () => {
  it('has each code once, with its cause and what to do', () => {
    const entries = textOf('reference/errors').split(/^### /m).slice(1)
    const named = entries.map((entry) => /^`?([^`\n]+)`?/.exec(entry)?.[1])
    const codes = [...Object.keys(errorTraits), ...Object.keys(apiErrors), ...Object.values(ingestErrors)]
    expect(codes.length).toBeGreaterThan(100)
    expect(named.toSorted()).toEqual(codes.toSorted())
    const incomplete = entries.filter((entry) => !/\n\n[^\n]{10,}\n\n\*\*What to do:\*\* [^\n]{10,}/.test(entry))
    expect(incomplete).toEqual([])
  })

  it('has an advice for every code, and for no others', () => {
    expect(Object.keys(eventCures).toSorted()).toEqual(Object.keys(errorTraits).toSorted())
    expect(Object.keys(apiCures).toSorted()).toEqual(Object.keys(apiErrors).toSorted())
    expect(Object.keys(ingestCures).toSorted()).toEqual(Object.keys(ingestErrors).toSorted())
  })

  it('has an address of its own for each code', () => {
    const anchors = [...textOf('reference/errors').matchAll(/\{#([^}]+)\}$/gm)].map(([, anchor]) => anchor)
    expect(anchors.length).toBeGreaterThan(100)
    expect(new Set(anchors).size).toBe(anchors.length)
  })
})

describe('the pages of the documentation site', () => {
  it('have different addresses and a heading each', () => {
    const paths = site.pages.map(({ path }) => path)
    expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([])
    expect(site.pages.filter(({ path, text }) => path !== 'index' && !/^# \S/m.test(text))).toEqual([])
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
    ['guides/studio', '../files/packages/docs/screenshots/flow.png'],
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

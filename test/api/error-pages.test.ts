import { errorTexts } from '@sluice/http/error-texts'
import { createSluice, type Sluice } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let sluice: Sluice
const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  sluice.fetch(new Request(`http://sluice.test${path}`, { headers }))
const browser = { accept: 'text/html,application/xhtml+xml' }

beforeAll(async () => {
  sluice = await createSluice({ sandbox: { mode: 'in-process' } })
})
afterAll(() => sluice.stop())

describe('the page of an error code', () => {
  it('is where the answer says, without a credential', async () => {
    const refusal = await ask('/v2/sources')
    expect(refusal.status).toBe(401)
    const { docs } = (await refusal.json()) as { readonly docs: string }
    const page = await ask(docs, browser)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
    const html = await page.text()
    for (const title of ['unauthorized', 'What happened', 'Why', 'What to do', 'Example']) expect(html).toContain(title)
  })

  it('of ingestion is in the header Link, because the body is a line that senders know', async () => {
    const refusal = await sluice.fetch(new Request('http://sluice.test/v1/track', { method: 'POST', body: '{}' }))
    expect(await refusal.text()).toBe('failed to read writekey from header\n')
    const [, path = ''] = /^<([^>]+)>; rel="help"$/.exec(refusal.headers.get('link') ?? '') ?? []
    expect(await (await ask(path)).json()).toMatchObject({ code: 'ingest.writeKeyMissing', why: expect.any(String) })
  })

  it.each(Object.keys(errorTexts))('%s has every part, as a page and as JSON', async (code) => {
    const said = (await (await ask(`/docs/errors/${code}`)).json()) as Readonly<Record<string, string>>
    expect(Object.keys(said).toSorted()).toEqual(['code', 'example', 'source', 'whatHappened', 'whatToDo', 'why'])
    for (const text of Object.values(said)) expect(text.length).toBeGreaterThan(3)
    const html = await (await ask(`/docs/errors/${code}`, browser)).text()
    expect(html).toContain(`<h1><code>${code}</code></h1>`)
    // Every mark of Markdown has become an element.
    expect(html.replace(/<style>.*?<\/style>/s, '')).not.toMatch(/`|\]\(|\*\*/)
  })

  it('loads nothing, and runs no script', async () => {
    const page = await ask('/docs/errors/internal', browser)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).not.toMatch(/<script|<img|<link/)
  })

  it.each(['nope', 'constructor', '__proto__', '%3Cb%3E', 'x'.repeat(5_000)])(
    'is 404 for a code that does not exist: %s',
    async (code) => {
      const answer = await ask(`/docs/errors/${code}`, browser)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json'])
      expect((await answer.text()).length).toBeLessThan(600)
    },
  )
})

it('the list of error codes leads to each of them', async () => {
  const { codes } = (await (await ask('/docs/errors')).json()) as {
    readonly codes: readonly { readonly code: string; readonly docs: string }[]
  }
  expect(codes.map(({ code }) => code)).toEqual(Object.keys(errorTexts))
  const html = await (await ask('/docs/errors', browser)).text()
  expect(codes.filter(({ docs }) => !html.includes(`href="${docs}"`))).toEqual([])
})

import { createRequire } from 'node:module'
import { afterEach, describe, expect, it } from 'vitest'
import { loadSegmentCore } from './load-segment-core.ts'

const require = createRequire(import.meta.url)
const actionsCore = require('@segment/actions-core') as Readonly<Record<string, unknown>>

describe("what Sluice uses of Segment's packages", () => {
  const core = loadSegmentCore(require)
  const original = actionsCore['createRequestClient'] as Parameters<typeof core.replaceRequestClient>[0]
  afterEach(() => {
    core.replaceRequestClient(original)
  })

  it('comes from the very copy that definitions use', () => {
    expect(core.HTTPError).toBe(actionsCore['HTTPError'])
    expect(core.fieldsToJsonSchema).toBe(actionsCore['fieldsToJsonSchema'])
  })

  it('parses conditions and says which are wrong', () => {
    expect(core.parseFql('type = "track"')).toMatchObject({ type: 'group' })
    expect(core.parseFql('type = "track" and (')).toHaveProperty('error')
  })

  it('renders templates in Liquid', () => {
    expect(core.evaluateLiquid?.('{{ event | upcase }}', { event: 'a' })).toBe('A')
  })

  it('replaces the request client that definitions make for themselves', () => {
    const ours = () => async () => 'ours'
    expect(core.replaceRequestClient(ours)).toBe(true)
    expect(actionsCore['createRequestClient']).toBe(ours)
  })
})

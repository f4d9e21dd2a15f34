import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { DevEntry } from './dev-entry.ts'
import { createDevScreen } from './dev-screen.ts'

const event = {
  kind: 'event',
  at: '2026-01-01T00:00:00.000Z',
  workspaceId: 'w',
  sourceId: 'web',
  messageId: 'm1',
  type: 'track',
  event: 'Order\u001b[2J Placed',
  outcome: 'accepted',
  stage: 'accept',
} as const
const entries: readonly DevEntry[] = [
  { kind: 'live', changed: [], timeMs: 4 },
  event,
  { ...event, destinationId: 'hook', outcome: 'delivered', stage: 'deliver' },
  { ...event, destinationId: 'hook', outcome: 'failed', stage: 'transform', code: 'transform.threw' },
  { kind: 'tests', passed: 4, failed: 1, text: '1 failed, 4 passed' },
]

/** Shows entries, and returns what was written. */
function shown(entriesShown: readonly DevEntry[], { isTTY = false, columns = 200, isJson = false } = {}): string {
  const stream = Object.assign(new PassThrough(), { isTTY, columns })
  const screen = createDevScreen(stream as unknown as NodeJS.WriteStream, isJson)
  for (const entry of entriesShown) screen.show(entry)
  screen.close()
  return String(stream.read() ?? '')
}

describe('the screen of sluice dev', () => {
  it('ends on a terminal with a line of the state and the counts, which is never wider than the terminal', () => {
    const lines = (columns: number): readonly string[] =>
      shown(entries, { isTTY: true, columns }).split('\r\u001b[2K').map(stripVTControlCharacters)
    const last = lines(200).at(-2)?.split('\n').at(-1)
    expect(last).toBe('● live 1 in · 1 delivered · 1 failed · tests: 4 passed, 1 failed · o studio · q quit')
    for (const line of lines(40)
      .slice(1, -1)
      .map((each) => each.split('\n').at(-1) ?? ''))
      expect(line.length).toBeLessThanOrEqual(40)
  })

  it('shows a mistake, and that what ran before keeps running', () => {
    const problem = { kind: 'problem', text: 'workspace.yaml:2:3 a\u001b[2J', problems: [] } as const
    const text = shown([...entries, problem], { isTTY: true })
    expect(text).toContain('● not live')
    expect(stripVTControlCharacters(shown([problem]))).toMatch(
      /^not live {2}workspace\.yaml:2:3 a.*\nWhat ran before keeps running/,
    )
  })

  it('writes plain lines elsewhere, without control characters of events', () => {
    const text = shown(entries)
    expect(text).not.toContain('\u001b')
    expect(text.trimEnd().split('\n')).toHaveLength(entries.length)
  })

  it('writes one JSON object per line on request', () => {
    const lines = shown(entries, { isTTY: true, isJson: true }).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(entries)
  })
})

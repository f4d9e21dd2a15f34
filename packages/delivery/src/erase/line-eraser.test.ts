import { query } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { createLineEraser } from './line-eraser.ts'

const live = new AbortController().signal
const rule = { place: () => query({ method: 'GET', endpoint: 'file:lines' }), userIdAt: [['userId']] }

describe('the eraser of lines', () => {
  it('gives each user the note about their own lines', async () => {
    const notes = new Map([['kim', 'the bucket keeps older versions']])
    const eraser = createLineEraser({ rule, settings: {}, eraseLines: async () => ({ status: 'complete', notes }) })
    const users = [{ userId: 'lee' }, { userId: ' kim\u200b' }]
    expect(await eraser.erase(users, live)).toEqual([
      { status: 'complete' },
      { status: 'complete', note: 'the bucket keeps older versions' },
    ])
  })

  it('gives all users the reason of a failure', async () => {
    const eraser = createLineEraser({
      rule,
      settings: {},
      eraseLines: async () => ({ status: 'failed', reason: 'no disk', notes: new Map([['kim', 'some']]) }),
    })
    const failed = { status: 'failed', reason: 'no disk' }
    expect(await eraser.erase([{ userId: 'kim' }, { userId: 'lee' }], live)).toEqual([failed, failed])
  })
})

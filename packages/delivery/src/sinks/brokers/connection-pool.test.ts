import { sink as sinkRequest } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { ConnectionPool } from './connection-pool.ts'

const requestTo = (host: string) =>
  sinkRequest({ method: 'PUBLISH', endpoint: `nats://${host}`, body: {}, userId: 'u' })
const live = new AbortController().signal

/** A pool whose connections are busy until they are destroyed. */
function busyPool(connectionsMax: number) {
  const open: string[] = []
  const pool = new ConnectionPool((request, owner) => {
    const name = `${owner} ${request.endpoint}`
    open.push(name)
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    let isUsable = true
    return {
      ended,
      get isUsable() {
        return isUsable
      },
      destroy() {
        if (isUsable) open.splice(open.indexOf(name), 1)
        isUsable = false
        end()
      },
    }
  }, connectionsMax)
  const use = (owner: string, host: string) =>
    pool.use(requestTo(host), owner, live, async ({ ended }) => ended.then(() => 'cut'))
  return { pool, use, open }
}

describe('connections of a sink', () => {
  it('are shared out: an owner whose servers never answer leaves some to another', async () => {
    const { pool, use, open } = busyPool(4)
    const holes = ['a', 'b', 'c', 'd'].map((host) => use('A', host))
    const other = use('B', 'good')
    expect(await holes[0]).toBe('cut')
    expect(open).toContain('B nats://good')
    expect(open).toHaveLength(4)
    pool.destroy()
    await Promise.all([...holes, other])
  })

  it('are refused to an owner that has its share, and to one that has most', async () => {
    const { pool, use } = busyPool(4)
    const held = [use('A', 'a'), use('A', 'b'), use('B', 'c'), use('B', 'd')]
    expect(await use('A', 'e')).toBeUndefined()
    expect(await use('B', 'e')).toBeUndefined()
    pool.destroy()
    await Promise.all(held)
  })

  it('are never shared between owners, though all else is the same', () => {
    const { pool, use, open } = busyPool(4)
    void use('A', 'a')
    void use('B', 'a')
    expect(open).toEqual(['A nats://a', 'B nats://a'])
    pool.destroy()
  })
})

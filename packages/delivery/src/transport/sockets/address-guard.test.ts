import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { json } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { createUndiciTransport } from '../http/undici-transport.ts'
import { addressRefused, createAddressGuard } from './address-guard.ts'

const refused = expect.objectContaining({ code: addressRefused })

/** A resolver for these names. Each lookup returns the next answer, then the last one forever. */
function resolver(names: Readonly<Record<string, readonly (readonly string[])[]>>): LookupFunction {
  const asked = new Map<string, number>()
  return (hostname, options, callback) => {
    const answers = names[hostname] ?? []
    const turn = asked.get(hostname) ?? 0
    asked.set(hostname, turn + 1)
    const addresses = answers[Math.min(turn, answers.length - 1)]
    if (addresses === undefined) return callback(Object.assign(new Error(hostname), { code: 'ENOTFOUND' }), '')
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (options.all) callback(null, found)
    else callback(null, found[0]?.address ?? '', found[0]?.family)
  }
}

const look = (guard: ReturnType<typeof createAddressGuard>, hostname: string, all = true): Promise<unknown> =>
  new Promise((resolve, reject) =>
    guard.lookup(hostname, { all }, (error, address, family) => {
      if (error) reject(error)
      else resolve(all ? address : { address, family })
    }),
  )

describe('address guard, addresses in a URL', () => {
  const guard = createAddressGuard([])
  const inside = [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://%31%32%37.0.0.1/',
    'http://１２７.0.0.1/',
    'http://0/',
    'http://10.0.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://255.255.255.255/',
    'http://224.0.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[ff02::1]/',
    'http://user:pw@127.0.0.1:8080/',
  ]
  for (const address of inside)
    it(`refuses ${address}`, () => {
      expect(() => guard.check(new URL(address))).toThrow(refused)
    })

  for (const address of [
    'https://93.184.216.34/',
    'http://134744072/',
    'http://[2606:4700::1111]/',
    'http://[::ffff:8.8.8.8]/',
  ])
    it(`allows ${address}`, () => {
      expect(() => guard.check(new URL(address))).not.toThrow()
    })

  it('allows configured ranges, and nothing else', () => {
    const some = createAddressGuard(['10.1.0.0/16', 'fd00::/8', 'localhost'])
    for (const host of ['10.1.255.1', '[fd12::1]', '127.0.0.9', '[::1]', '[::ffff:10.1.0.1]'])
      expect(() => some.check(new URL(`http://${host}/`)), host).not.toThrow()
    for (const host of ['10.2.0.1', '[fc00::1]', '192.168.0.1', '[::ffff:10.2.0.1]'])
      expect(() => some.check(new URL(`http://${host}/`)), host).toThrow(refused)
  })

  for (const range of ['10.0.0.0/33', 'localhost/8', '10.0.0', '', '::1/129', '10.0.0.0/8/8'])
    it(`refuses the range ${JSON.stringify(range)}`, () => {
      expect(() => createAddressGuard([range])).toThrow(RangeError)
    })
})

describe('address guard, names', () => {
  const lookup = resolver({
    'public.test': [['93.184.216.34']],
    'private.test': [['10.0.0.1', '::1']],
    'mixed.test': [['10.0.0.1', '93.184.216.34', 'fe80::1', '2606:4700::1111']],
    'odd.test': [['not an address']],
  })
  const guard = createAddressGuard([], lookup)

  it('returns only the public addresses of a name', async () => {
    expect(await look(guard, 'public.test')).toEqual([{ address: '93.184.216.34', family: 4 }])
    expect(await look(guard, 'mixed.test')).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(await look(guard, 'mixed.test', false)).toEqual({ address: '93.184.216.34', family: 4 })
  })

  it('refuses a name without public addresses', async () => {
    await expect(look(guard, 'private.test')).rejects.toEqual(refused)
    await expect(look(guard, 'private.test', false)).rejects.toEqual(refused)
    await expect(look(guard, 'odd.test')).rejects.toEqual(refused)
  })

  it('passes on errors of the resolver', async () => {
    await expect(look(guard, 'missing.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })
})

describe('address guard, over a real network', () => {
  const live = new AbortController().signal
  async function withServer(test: (port: number, hits: () => number) => Promise<void>, location = ''): Promise<void> {
    let hits = 0
    const server = createServer((_, response) => {
      hits += 1
      // Each request opens a new connection, so that each is looked up.
      response.writeHead(location ? 302 : 200, { connection: 'close', ...(location ? { location } : {}) }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await test((server.address() as AddressInfo).port, () => hits)
    server.close()
  }
  const post = (endpoint: string) => json({ method: 'POST', endpoint, body: { a: 1 } })

  it('refuses every name of this machine, and nothing arrives', () =>
    withServer(async (port, hits) => {
      const transport = createUndiciTransport({ lookup: resolver({ 'inside.test': [['127.0.0.1']] }) })
      for (const host of ['127.0.0.1', '127.1', '[::ffff:127.0.0.1]', 'inside.test'])
        expect(
          await transport.send(post(`http://${host}:${port}/`), { signal: live, timeMs: 1_000 }),
          host,
        ).toMatchObject({
          kind: 'unsendable',
          code: addressRefused,
        })
      expect(hits()).toBe(0)
      await transport.close()
    }))

  it('checks a name at every connection, so that DNS rebinding fails', () =>
    withServer(async (port, hits) => {
      const lookup = resolver({ 'rebinding.test': [['127.0.0.2'], ['127.0.0.1']] })
      const allowed = createUndiciTransport({ allowAddresses: ['127.0.0.1'], lookup })
      const send = () => allowed.send(post(`http://rebinding.test:${port}/`), { signal: live, timeMs: 1_000 })
      expect(await send()).toMatchObject({ kind: 'unsendable', code: addressRefused })
      expect(await send()).toMatchObject({ kind: 'reply', status: 200 })
      expect(hits()).toBe(1)
      await allowed.close()
    }))

  it('does not follow a redirect, wherever it leads', () =>
    withServer(async (inside, hits) => {
      await withServer(async (port) => {
        const transport = createUndiciTransport({ allowAddresses: ['localhost'] })
        expect(await transport.send(post(`http://127.0.0.1:${port}/`), { signal: live, timeMs: 1_000 })).toMatchObject({
          kind: 'reply',
          status: 302,
        })
        await transport.close()
      }, `http://127.0.0.1:${inside}/`)
      expect(hits()).toBe(0)
    }))
})

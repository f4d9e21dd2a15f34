import { describe, expect, it } from 'vitest'
import { refusedAddresses } from './refused-addresses.ts'

const found = (settings: Parameters<typeof refusedAddresses>[0], allowed: readonly string[] = []): readonly string[] =>
  refusedAddresses(settings, allowed).map(({ path, host, range }) => `${path} ${host} ${range}`)

describe('addresses that Sluice would refuse to send to', () => {
  for (const [settings, expected] of [
    [{ webhookUrl: 'http://localhost:9000/in' }, 'webhookUrl localhost localhost'],
    [{ webhookUrl: 'http://127.0.0.1:9000/in' }, 'webhookUrl 127.0.0.1 localhost'],
    [{ webhookUrl: 'https://user:secret@10.1.2.3/in?x=1' }, 'webhookUrl 10.1.2.3 10.1.2.3'],
    [{ webhookUrl: 'http://[::1]/in' }, 'webhookUrl ::1 localhost'],
    [{ host: 'LOCALHOST' }, 'host localhost localhost'],
    [{ host: '::1' }, 'host ::1 localhost'],
    [{ servers: ['hook.test:9092', '192.168.0.1:9092'] }, 'servers[1] 192.168.0.1 192.168.0.1'],
    [{ servers: 'hook.test:9092, 192.168.0.1:9092' }, 'servers 192.168.0.1 192.168.0.1'],
    [{ sasl: { url: 'amqp://localhost' } }, 'sasl.url localhost localhost'],
  ] as const)
    it(`are found in ${JSON.stringify(settings)}`, () => expect(found(settings)).toEqual([expected]))

  it('are not found in public addresses, names, and other texts', () => {
    const settings = {
      webhookUrl: 'https://hook.test/localhost?to=127.0.0.1',
      address: '8.8.8.8',
      text: 'see localhost for more',
      version: '1.2.3',
      key: 'a:b:c',
      none: '',
      number: 10,
      long: `http://localhost/${'x'.repeat(3_000)}`,
    }
    expect(found(settings)).toEqual([])
  })

  it('are not found when they are allowed', () => {
    expect(
      found({ a: 'http://localhost', b: 'http://10.1.2.3', c: 'http://10.2.0.1' }, ['localhost', '10.1.0.0/16']),
    ).toEqual(['c 10.2.0.1 10.2.0.1'])
  })
})

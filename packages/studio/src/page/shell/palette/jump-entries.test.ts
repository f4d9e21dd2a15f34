import { describe, expect, it } from 'vitest'
import { findEntries, type JumpEntry } from './jump-entries.ts'

const entry = (group: string, title: string, note = ''): JumpEntry => ({
  group,
  icon: 'send',
  title,
  note,
  path: `/${title}`,
})
const pages = [entry('Pages', 'Flow'), entry('Pages', 'Failed events', 'Watch')]
const entries = [...pages, entry('Destinations', 'CRM orders', 'Webhook'), entry('Events', 'Order Completed', 'track')]
const titles = (text: string): readonly string[] => findEntries(entries, text).map(({ title }) => title)

describe('the palette', () => {
  it('shows all pages before anything is written', () => {
    expect(titles(' ')).toEqual(['Flow', 'Failed events'])
  })

  it('shows what can be done from anywhere before anything is written, too', () => {
    expect(findEntries([...entries, entry('Do', 'Find a person')], '').map(({ title }) => title)).toEqual([
      'Flow',
      'Failed events',
      'Find a person',
    ])
  })

  it('finds what has every word in its title or note, in any order and case', () => {
    expect(titles('WEBHOOK crm')).toEqual(['CRM orders'])
    expect(titles('webhook flow')).toEqual([])
  })

  it('puts first what begins with the text', () => {
    expect(titles('order')).toEqual(['Order Completed', 'CRM orders', 'order'])
  })

  it('leads to the event whose id was written, whatever characters it has', () => {
    expect(findEntries(entries, ' m/1?x ').at(-1)).toMatchObject({ title: 'm/1?x', path: '/live/m%2F1%3Fx' })
  })

  it('shows a few of each group, however many fit', () => {
    const many = Array.from({ length: 50 }, (_, n) => entry('Destinations', `Shop ${n}`))
    expect(findEntries([...many, entry('Events', 'Shop opened')], 'shop ').length).toBe(8)
  })
})

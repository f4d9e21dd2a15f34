import { describe, expect, it } from 'vitest'
import { warehouseDestinations } from './warehouse-destinations.ts'

describe('each setting of a warehouse', () => {
  for (const { type, settings } of warehouseDestinations({ work: 'here' })) {
    it(`of ${type} has a title and is described in a sentence`, () => {
      const incomplete = Object.entries(settings.properties).filter(([, setting]) => {
        const { title = '', description = '' }: { title?: string; description?: string } = setting
        return !/^.+[^.]$/.test(title) || !/^.{7,}[.]$/s.test(description)
      })
      expect(incomplete.map(([name]) => name)).toEqual([])
    })
  }
})

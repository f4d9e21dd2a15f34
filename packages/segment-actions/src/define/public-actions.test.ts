import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { loadSegmentCore } from '../peer/load-segment-core.ts'
import type { SegmentDefinition } from '../peer/segment-definition.ts'
import { publicActions } from './public-actions.ts'

const core = loadSegmentCore(createRequire(import.meta.url))
const action = { title: 'An action', description: 'Sends.', perform: () => undefined }
const mistaken = { name: { type: 'string', required: { conditions: [{ fieldKey: 'a', operator: 'is_about' }] } } }

describe('the description of actions', () => {
  it('says which action cannot be used for a mistake in its fields, and has the others', () => {
    const actions = {
      broken: { ...action, fields: mistaken },
      send: { ...action, fields: { name: { type: 'string', label: 'Name' } } },
    }
    const described = publicActions({ name: 'Shop', actions } as unknown as SegmentDefinition, core).actions
    expect(described).toMatchObject([
      {
        name: 'broken',
        description: expect.stringMatching(/^It cannot be used: the fields of broken cannot be read \(.*\)\. Sends\.$/),
        fields: {},
      },
      { name: 'send', description: 'Sends.', fields: { properties: { name: { type: 'string' } } } },
    ])
  })
})

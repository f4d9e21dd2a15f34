import type { Workspace } from '@sluice/core'
import { createDestinationRegistry, file, s3, webhook } from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { createCertifiedDestinations } from './create-certified-destinations.ts'

describe('the destinations of a certificate', () => {
  it.each(['FILE', 'S3', 'WEBHOOK'])('say what lines keep of a person: %s', (type) => {
    const destinations = [{ id: 'd', name: 'D', type, settings: {} }]
    const certified = createCertifiedDestinations({
      workspaces: () => [{ id: 'w', destinations } as unknown as Workspace],
      destinations: createDestinationRegistry([file, s3, webhook]),
    })
    const keeps = certified('w').map((each) => each.keeps)
    if (type === 'WEBHOOK') expect(keeps).toEqual([undefined])
    else expect(keeps).toEqual([expect.stringMatching(/^lines that a transformation changed.*anonymousId/)])
  })
})

import type { Random } from '@sluice/core'
import { type GuestApiPart, joinParts } from '../guest-api-part.ts'
import { appleLibrary } from './apple-library.ts'
import { encryptLibrary } from './encrypt-library.ts'
import { hashLibrary } from './hash-library.ts'
import { userAgentLibrary } from './user-agent-library.ts'

/** The libraries that every workspace of RudderStack has, by the names that code there imports. */
export function rudderLibraries(random: Random): GuestApiPart {
  return joinParts([hashLibrary(), encryptLibrary(random), userAgentLibrary(), appleLibrary()])
}

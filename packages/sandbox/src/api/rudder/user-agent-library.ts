import { rsUserAgentParserModule } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'

/**
 * `@rs/userAgentParser/v1`, RudderStack's library for User-Agent texts: the interface of ua-parser-js over
 * `@sluice/user-agent`. Source: packages/docs/behaviour/user-code.md#libraries-of-rudderstack.
 */
export function userAgentLibrary(): GuestApiPart {
  return { modules: { '@rs/userAgentParser/v1': rsUserAgentParserModule } }
}

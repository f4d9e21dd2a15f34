import type { JsonValue } from '@sluice/core'
import { bytesOf } from '@sluice/core/bytes'
import { hashText, hmacText } from '@sluice/core/hash'
import { hashModule } from '../../guest-programs.ts'
import { checkOptions, wordOption } from '../check-options.ts'
import type { GuestApiPart } from '../guest-api-part.ts'
import { forTexts, textArgument } from '../text-arguments.ts'

const algorithms = ['sha256', 'sha512', 'sha1', 'md5'] as const
const outputs = ['hex', 'base64', 'base64url'] as const
const inputs = ['utf8', 'hex', 'base64'] as const

/**
 * `@sluice/hash`: digests and HMACs of texts, computed by the host. A sha256 written in guest code takes some hundred
 * microseconds for a short text; a host call takes a few, for one text or a list.
 */
export function hashPart(): GuestApiPart {
  return {
    modules: { '@sluice/hash': hashModule },
    syncCalls: {
      hash: ([algorithm, value, options]) => {
        const name = knownAlgorithm(algorithm)
        checkOptions(name, options, ['output', 'input'])
        const output = wordOption(name, options, 'output', outputs)
        const input = wordOption(name, options, 'input', inputs)
        // Lone surrogates become U+FFFD, as in TextEncoder.
        return forTexts(name, value, (text) => hashText(name, bytesOf(text, input), output))
      },
      hmac: ([algorithm, key, value, options]) => {
        const name = knownAlgorithm(algorithm)
        checkOptions('hmac', options, ['output', 'input', 'key'])
        const output = wordOption('hmac', options, 'output', outputs)
        const input = wordOption('hmac', options, 'input', inputs)
        const secret = bytesOf(textArgument('hmac', key), wordOption('hmac', options, 'key', inputs))
        return forTexts('hmac', value, (text) => hmacText(name, secret, bytesOf(text, input), output))
      },
    },
  }
}

function knownAlgorithm(value: JsonValue | undefined): (typeof algorithms)[number] {
  const known = algorithms.find((name) => name === value)
  if (known === undefined) throw new TypeError(`hash: the algorithm must be one of ${algorithms.join(', ')}`)
  return known
}

/** Characters of source examined, because some patterns below are quadratic. */
const beforeMax = 300

type Wording = readonly [name: string, pattern: RegExp, words: string]

/**
 * V8 wordings of the engine's most common errors, because people know V8's and search for them. Source:
 * packages/docs/behaviour/user-code.md#familiar-texts.
 */
const wordings: readonly Wording[] = [
  ['ReferenceError', /^'(.+)' is not defined$/s, '$1 is not defined'],
  ['ReferenceError', /^(.+) is not initialized$/s, "Cannot access '$1' before initialization"],
  ['TypeError', /^cannot read property 'Symbol\.iterator' of (undefined|null)$/, '$1 is not iterable'],
  ['TypeError', /^cannot read property '(.*)' of (undefined|null)$/s, "Cannot read properties of $2 (reading '$1')"],
  ['TypeError', /^cannot read property of (undefined|null)$/, 'Cannot read properties of $1'],
  ['TypeError', /^cannot set property '(.*)' of (undefined|null)$/s, "Cannot set properties of $2 (setting '$1')"],
  ['TypeError', /^cannot set property of (undefined|null)$/, 'Cannot set properties of $1'],
  ['TypeError', /^cannot convert to object$/, 'Cannot convert undefined or null to object'],
  ['TypeError', /^value is not iterable$/, 'object is not iterable'],
  ['TypeError', /^no setter for property$/, 'Cannot set a property which has only a getter'],
  ['TypeError', /^class constructors must be invoked with 'new'$/, "Class constructor cannot be invoked without 'new'"],
  ['TypeError', /^cannot convert symbol to string$/, 'Cannot convert a Symbol value to a string'],
  ['TypeError', /^cannot convert bigint to number$/, 'Cannot mix BigInt and other types, use explicit conversions'],
  ['TypeError', /^invalid 'instanceof' right operand$/, "Right-hand side of 'instanceof' is not callable"],
  ['TypeError', /^empty array$/, 'Reduce of empty array with no initial value'],
  ['TypeError', /^circular reference$/, 'Converting circular structure to JSON'],
  [
    'TypeError',
    /^(?:BigInt are forbidden in JSON|bigint are forbidden in JSON)$/i,
    'Do not know how to serialize a BigInt',
  ],
  ['RangeError', /^invalid array length$/, 'Invalid array length'],
  ['RangeError', /^invalid repeat count$/, 'Invalid count value'],
  ['URIError', /^expecting hex digit$/, 'URI malformed'],
]

/**
 * Returns the message of an engine exception as V8 words it. Other messages, including those of users, stay unchanged.
 *
 * @param source the source up to the place of the error, from text-before.ts. The engine's "not a function" does not name
 * the function, so its name is taken from there.
 */
export function familiarMessage(name: string, message: string, source: string | undefined): string {
  const before = source?.slice(-beforeMax)
  if (name === 'TypeError' && /^(?:not a function|not a constructor| is not a constructor)$/.test(message))
    return notCallable(before, message)
  const readOnly = name === 'TypeError' && /^'(.+)' is read-only$/s.exec(message)?.[1]
  if (readOnly) {
    const isMember = before !== undefined && /[.\]]\s*[\w$]*\s*$/.test(before.replace(/=?\s*.?$/, ''))
    return isMember ? `Cannot assign to read only property '${readOnly}' of object` : 'Assignment to constant variable.'
  }
  for (const [ofName, pattern, words] of wordings)
    if (name === ofName && pattern.test(message)) return message.replace(pattern, words)
  return message
}

/** What may be called, as far as it is visible on the line: `e.items[0].map`, `f`, `e?.foo`, `(e.foo)`. */
const callee =
  /((?:[\p{L}_$][\p{L}\p{N}_$]*|\)|\]|"[^"]*"|'[^']*')(?:\??\.#?[\p{L}_$][\p{L}\p{N}_$]*|\[[^\][]*\])*)\)?\s*$/u

function notCallable(before: string | undefined, message: string): string {
  const call = before?.replace(/(?:\?\.)?\s*[(`]?$/, '')
  const isNew = !message.endsWith('function') || (call !== undefined && /\bnew\s+[\w$.]+$/.test(call))
  const found = call && callee.exec(call)?.[1]?.replace(/^[)\]]/, '(intermediate value)')
  return `${found || '(intermediate value)'} is not a ${isNew ? 'constructor' : 'function'}`
}

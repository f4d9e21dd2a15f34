/** A value of MaxMind's database format. Whole numbers are written with 32 bits. */
type MmdbValue = string | number | readonly MmdbValue[] | { readonly [name: string]: MmdbValue }

const types = { text: 2, double: 3, uint32: 6, map: 7, array: 11 }
const recordBits = 24
/** Between the search tree and the data. */
const separator = Buffer.alloc(16)

/** Returns a database of MaxMind's format (MMDB 2.0) with one record, for the IPv4 addresses that begin with an octet. */
export function mmdbFile(firstOctet: number, record: MmdbValue): Buffer {
  const nodes = 8
  const found = nodes + separator.length
  // A chain of nodes, one for each bit of the octet; the other side of each has no data.
  const tree = Array.from({ length: nodes }, (_, node) => {
    const next = node + 1 < nodes ? node + 1 : found
    const isOne = ((firstOctet >> (7 - node)) & 1) === 1
    return [isOne ? nodes : next, isOne ? next : nodes].map((each) => bytesOf(each, recordBits / 8))
  })
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: 'Test-City',
    description: { en: 'test' },
    ip_version: 4,
    languages: ['en'],
    node_count: nodes,
    record_size: recordBits,
  }
  const marker = Buffer.concat([Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com')])
  return Buffer.concat([...tree.flat(), separator, encoded(record), marker, encoded(metadata)])
}

function encoded(value: MmdbValue): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([control(types.text, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return Buffer.concat([control(types.uint32, 4), bytesOf(value, 4)])
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleBE(value)
    return Buffer.concat([control(types.double, 8), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([control(types.array, value.length), ...value.map(encoded)])
  const entries = Object.entries(value)
  return Buffer.concat([control(types.map, entries.length), ...entries.flat().map(encoded)])
}

/** Types above 7 have a byte of their own. Sizes here are below 29, which fit into the first byte. */
function control(type: number, size: number): Buffer {
  return type > 7 ? Buffer.from([size, type - 7]) : Buffer.from([(type << 5) | size])
}

function bytesOf(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  return bytes
}

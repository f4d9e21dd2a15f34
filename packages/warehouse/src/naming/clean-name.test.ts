import { describe, expect, it } from 'vitest'
import { type Casing, cleanName, nameTextMax } from './clean-name.ts'

const cases: Readonly<Record<Casing, Readonly<Record<string, string>>>> = {
  default: {
    HTTPServerURL: 'http_server_url',
    userIDs: 'user_i_ds',
    camelCase123Key: 'camel_case123_key',
    a1b2: 'a1_b2',
    '12ab34cd': '_12ab_34cd',
    v_1: 'v_1',
    item_3_name: 'item_3_name',
    'version2.0': 'version2_0',
    '9omega': '_9omega',
    'path to $1,000,000': 'path_to_1_000_000',
    naïve: 'na_ve',
    straße: 'stra_e',
    ___a: '___a',
    b___: 'b',
    _$: '_',
    $_: '',
    你好: '',
    '🎉': '',
    '': '',
    __proto__: '__proto',
    "Robert'); drop table users": 'robert_drop_table_users',
  },
  divided: {
    a1b2: 'a_1_b_2',
    '9omega': '_9_omega',
    '4th place': '_4th_place',
    '22nd': '_22nd',
    '11th': '_11_th',
    camelCase123Key: 'camel_case_123_key',
    __a1: '__a_1',
    '🎉': '',
  },
  blendo: {
    camelCase: 'camelcase',
    a$b: 'a$b',
    '😀x': '__x',
    '9a': '_9a',
    $a: '_$a',
    'a  b': 'a__b',
  },
}

describe('clean name', () => {
  for (const [casing, names] of Object.entries(cases)) {
    for (const [text, want] of Object.entries(names)) {
      it(`makes ${JSON.stringify(want)} of ${JSON.stringify(text)}, casing ${casing}`, () => {
        expect(cleanName(text, casing as Casing)).toBe(want)
      })
    }
  }

  it('reads so many characters of a text', () => {
    expect(cleanName('k'.repeat(5_000_000), 'default')).toHaveLength(nameTextMax)
  })
})

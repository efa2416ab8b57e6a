import tseslint from 'typescript-eslint';
import { ownLines } from './scripts/own-lines.mjs';

const unused = { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' };

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.folkmoot/', 'coverage/', 'test/sets/', 'docs/', '**/.*'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: ['tsconfig.json', 'tsconfig.editor.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', unused],
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // A promise that implements a port may have nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 300 }],
      // Values from outside are shown as they are.
      '@typescript-eslint/no-base-to-string': 'off',
      'no-console': 'error',
      'no-restricted-globals': ['error', { name: 'RED', message: 'RED is a parameter.' }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      'prefer-const': 'error',
    },
  },
  {
    files: ['engine/**/*.ts', 'nodes/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.contract.ts'],
    plugins: { folkmoot: { rules: { 'own-lines': ownLines } } },
    rules: {
      'folkmoot/own-lines': ['error', 40],
      complexity: ['error', 20],
    },
  },
  {
    files: ['nodes/**/*.editor.ts', 'nodes/shared/editor-kit.ts', 'nodes/shared/editor/**/*.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  { files: ['bin/**', 'bench/**', 'scripts/**', 'test/**', '**/*.spec.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.spec.ts', '**/*.contract.ts', 'test/**/*.ts'],
    rules: {
      // Stand-ins and messages of Node-RED are loosely typed in specs.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  { files: ['**/*.{js,mjs}'], extends: [tseslint.configs.base], rules: { 'prefer-const': 'error', eqeqeq: 'error' } },
);

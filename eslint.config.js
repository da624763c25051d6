// Rules for the browser code and its build.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/*", "!assets/", "!assets/components/", "!assets/components/**", "!eslint.config.js"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-shadow": "error",
      "no-unused-vars": ["error", { args: "all", argsIgnorePattern: "^_$" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["assets/components/build.js", "**/*.test.js", "eslint.config.js"],
    languageOptions: { globals: globals.node },
  },
];

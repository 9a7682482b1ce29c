# SPDX-License-Identifier: Apache-2.0
# Completion of assay(1) for bash: `source <(assay completion bash)`.  assay itself says what can follow.

_assay()
{
	local cur=${COMP_WORDS[COMP_CWORD]} glob kept line text word
	local -a endings words=()

	# bash breaks words at = and :
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		if ((${#words[@]})) && [[ $word == [=:] || ${words[-1]} == *[=:] ]]; then
			words[-1]+=$word
		else
			words+=("$word")
		fi
	done
	[[ $cur != [=:] ]] || cur=
	kept=${words[-1]%"$cur"}
	COMPREPLY=()
	while IFS= read -r line; do
		text=${line#?}
		case $line in
		w*)	text=${text%%$'\t'*}
			printf -v text %q "${text#"$kept"}"
			COMPREPLY+=("$text") ;;
		d)	compopt -o filenames
			while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$cur") ;;
		f*)	compopt -o filenames
			glob=*
			[[ -z $text ]] || glob="*.@(${text//,/|})"
			while IFS= read -r word; do
				# of bash's own options extglob may be off: [[ ]] knows it all the same
				[[ -d $word || $word == $glob ]] && COMPREPLY+=("$word")
			done < <(compgen -f -- "$cur") ;;
		esac
	done < <("${COMP_WORDS[0]}" completion words -- "${words[@]}" 2>/dev/null)
}
complete -F _assay assay

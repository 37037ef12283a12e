# Read by other scripts. Exports the variables of the file that $ENV names, if
# it names one: NAME=value lines, taken literally; no shell interprets them.

if [ -n "${ENV:-}" ]; then
	[ -r "$ENV" ] || { echo "ENV: the file cannot be read" >&2; exit 2; }
	while IFS= read -r line || [ -n "$line" ]; do
		case "$line" in
			'' | '#'*) ;;
			[A-Za-z_]*=*) export "$line" ;;
			*) echo "ENV: a line is not NAME=value" >&2; exit 2 ;;
		esac
	done < "$ENV"
fi
